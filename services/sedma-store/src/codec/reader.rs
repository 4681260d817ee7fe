//! Packed bytes, read front to back, and written with lengths that fit.

use crate::codec::Unfit;

/// What is left to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

/// The bytes end before the value does.
const CUT_SHORT: Unfit = Unfit("packed bytes are cut short");

impl<'a> Reader<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next `count` bytes.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Unfit> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(CUT_SHORT)?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next bytes, as many as the array has.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Unfit> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(CUT_SHORT)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Unfit> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Unfit> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// Bytes behind one byte with their number.
    pub(crate) fn short(&mut self) -> Result<&'a [u8], Unfit> {
        let count = self.byte()?;
        self.take(usize::from(count))
    }

    /// UTF-8 behind one byte with its length.
    pub(crate) fn text(&mut self) -> Result<String, Unfit> {
        let bytes = self.short()?;
        let text = str::from_utf8(bytes).map_err(|_| Unfit("a text is not UTF-8"))?;
        Ok(text.to_owned())
    }
}

/// Writes bytes behind one byte with their number.
pub(crate) fn write_short(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), Unfit> {
    out.push(u8::try_from(bytes.len()).map_err(|_| Unfit("a text is longer than 255 bytes"))?);
    out.extend_from_slice(bytes);
    Ok(())
}

/// Writes bytes behind two bytes with their number.
pub(crate) fn write_long(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), Unfit> {
    let count = u16::try_from(bytes.len()).map_err(|_| Unfit("a record is longer than 65,535 bytes"))?;
    out.extend_from_slice(&count.to_be_bytes());
    out.extend_from_slice(bytes);
    Ok(())
}

/// Bytes that must be exactly so many.
pub(crate) fn exact<const N: usize>(bytes: &[u8], what: &'static str) -> Result<[u8; N], Unfit> {
    bytes.try_into().map_err(|_| Unfit(what))
}
