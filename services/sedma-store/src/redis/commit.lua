#!lua
-- One commit of one table: compares, then writes. It knows no rules and no requests.
-- KEYS: 1 blob  2 log  3 the tenant's listing  4 the bucket's timers (all in one slot)
-- ARGV: 1 expected version ('' = the table must not exist)  2 new revision  3 new token  4 schema, update
--       5 schema, snapshot  6 lifetime ms  7 id (16 bytes)  8 channel  9 timer: 'keep', 'disarm', or ms from now
local call = redis.call
local blob, log, listing, timers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local revision, token, timer = ARGV[2], ARGV[3], ARGV[9]
local head = call('GETRANGE', blob, 0, 23)
local length = call('LLEN', log)

-- Every check comes before the first write: Lua has no rollback.
if string.sub(head, 1, 16) ~= ARGV[1] then
  if head == '' then return {'MISSING'} end
  return {'CONFLICT', call('GET', blob)}
end
if length + 1 ~= struct.unpack('>i8', revision) then return {'LOG', length} end

local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local dies = now + ARGV[6]
local fire = string.sub(head, 17, 24)
if timer ~= 'keep' or length == 0 then
  local at = tonumber(timer) and now + timer or 0
  fire = struct.pack('>i8', at)
  if at > 0 then call('ZADD', timers, at, ARGV[7]) end
  if timer == 'disarm' then call('ZREM', timers, ARGV[7]) end
end

call('RPUSH', log, token .. struct.pack('>i8', now) .. ARGV[4])
call('SET', blob, revision .. token .. fire .. ARGV[5], 'PXAT', dies)
call('PEXPIREAT', log, dies)
-- The listing must outlive its tables. Each of the next 16 commits comes within one lifetime of the one before it.
if length % 16 == 0 then
  local far = dies + 16 * ARGV[6]
  if length == 0 then
    call('ZADD', listing, now, ARGV[7])
    call('PEXPIREAT', listing, far, 'NX')
  end
  call('PEXPIREAT', listing, far, 'GT')
end
call('SPUBLISH', ARGV[8], token .. revision)
return {'OK', now}
