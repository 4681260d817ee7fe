#!lua
-- One commit of one table: compares, then writes. It knows no rules and no requests.
-- KEYS: 1 blob  2 log  3 the tenant's listing  4 the bucket's timers (all in one slot)
-- ARGV: 1 expected version ('' = the table must not exist)  2 new revision  3 new token  4 schema  5 update  6 snapshot
--       7 lifetime ms  8 id (16 bytes)  9 channel  10 timer: 'keep', 'disarm', or ms from now
local blob, log, listing, timers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local expected, revision, token, timer = ARGV[1], ARGV[2], ARGV[3], ARGV[10]
local head = redis.call('GETRANGE', blob, 0, 23)
local length = redis.call('LLEN', log)

-- Every check comes before the first write: Lua has no rollback.
if string.sub(head, 1, 16) ~= expected then
  if head == '' then return {'MISSING'} end
  return {'CONFLICT', redis.call('GET', blob)}
end
if length + 1 ~= struct.unpack('>i8', revision) then return {'LOG', length} end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local dies = now + ARGV[7]
local fire = string.sub(head, 17, 24)
if timer ~= 'keep' or fire == '' then
  local at = tonumber(timer) and now + timer or 0
  fire = struct.pack('>i8', at)
  if at > 0 then redis.call('ZADD', timers, at, ARGV[8]) end
  if timer == 'disarm' then redis.call('ZREM', timers, ARGV[8]) end
end

redis.call('RPUSH', log, token .. struct.pack('>i8', now) .. ARGV[4] .. ARGV[5])
redis.call('SET', blob, revision .. token .. fire .. ARGV[4] .. ARGV[6], 'PXAT', dies)
redis.call('PEXPIREAT', log, dies)
if expected == '' then redis.call('ZADD', listing, now, ARGV[8]) end
-- A listing lives as long as its longest-lived table; a new one has no expiry yet, which GT would leave so.
if redis.call('PEXPIREAT', listing, dies, 'GT') == 0 and expected == '' then
  redis.call('PEXPIREAT', listing, dies, 'NX')
end
redis.call('SPUBLISH', ARGV[9], token .. revision)
return {'OK', now}
