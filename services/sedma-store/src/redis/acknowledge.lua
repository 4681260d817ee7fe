#!lua
-- A group of consumers has no more need of a result. Answers 1 if it was the group's to acknowledge.
-- KEYS: 1 result  2 the tenant's outbox  3 blob  4 log  5 the tenant's listing  6 the group's part, and then the parts of
--       all other groups (in one slot)
-- ARGV: 1 id (16 bytes)  2 version of the result ('' = drop it from the outbox if it is gone)
--       3 ms that the table is kept for when nobody needs its result any more
local call = redis.call
local outbox, id = KEYS[2], ARGV[1]
if call('GETRANGE', KEYS[1], 0, 15) ~= ARGV[2] then return 0 end

-- Whether a group was told of the result: it has the number that the group's part stands at, or a lower one.
local number = tonumber(call('ZSCORE', outbox, id) or 0)
local function told(part)
  local newest = call('ZSCORE', part, '')
  return newest and -newest >= number
end
if ARGV[2] ~= '' and not told(KEYS[6]) then return 0 end
local was_theirs = call('ZREM', KEYS[6], id)

local needed = false
for i = 7, #KEYS do
  if ARGV[2] == '' then
    call('ZREM', KEYS[i], id)
  elseif not told(KEYS[i]) or call('ZSCORE', KEYS[i], id) then
    needed = true
  end
end
if not needed then
  call('ZREM', outbox, id)
  call('DEL', KEYS[1])
  if was_theirs == 1 then
    call('PEXPIRE', KEYS[3], ARGV[3])
    call('PEXPIRE', KEYS[4], ARGV[3])
    -- Nobody would tell the listing that the table has gone, and it lives as long as the last of them.
    call('ZREM', KEYS[5], id)
  end
  if call('EXISTS', outbox) == 0 then
    for i = 6, #KEYS do call('DEL', KEYS[i]) end
  end
end
return was_theirs
