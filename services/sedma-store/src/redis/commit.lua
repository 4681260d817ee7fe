#!lua
-- One commit of one table: compares, then writes. It knows no rules and no requests.
-- KEYS: 1 blob  2 log  3 the tenant's listing  4 the bucket's timers (all in one slot), and where the table ends with
--       a result: 5 result  6 the tenant's outbox
-- ARGV: 1 expected version ('' = the table must not exist)  2 new revision  3 new token  4 schema, update
--       5 schema, snapshot  6 lifetime ms  7 id (16 bytes)  8 channel  9 timer: 'keep', 'disarm', or ms from now
--       10 what the clock must say: '', 'before' the timer fires, 'after' it has fired
--       11 '', 'least' where the table may be kept longer than its lifetime, or schema, result
local call = redis.call
local blob, log, listing, timers, id = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[7]
local revision, token, timer, guard = ARGV[2], ARGV[3], ARGV[9], ARGV[10]
local head = call('GETRANGE', blob, 0, 23)
local length = call('LLEN', log)

-- Every check comes before the first write: Lua has no rollback. (A table that is gone can't need its timer.)
if string.sub(head, 1, 16) ~= ARGV[1] then
  if head ~= '' then return {'CONFLICT', call('GET', blob)} end
  call('ZREM', timers, id)
  return {'MISSING'}
end
if length + 1 ~= struct.unpack('>i8', revision) then return {'LOG', length} end

local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local was = length > 0 and struct.unpack('>i8', head, 17) or 0
if guard == 'before' and was > 0 and now >= was then return {'EXPIRED'} end
if guard == 'after' and (was == 0 or now < was) then return {'EARLY', was} end

local fire = was
if timer == 'disarm' then fire = 0 elseif timer ~= 'keep' then fire = now + timer end
if fire == 0 then
  -- A new table may find the timer of one that had its id before it.
  if was > 0 or length == 0 then call('ZREM', timers, id) end
elseif timer ~= 'keep' then
  call('ZADD', timers, fire, id)
end
-- What a table waits for may be further off than its lifetime, which therefore begins with it.
local dies = math.max(now, fire) + ARGV[6]
if ARGV[11] == 'least' then dies = math.max(dies, call('PEXPIRETIME', blob)) end

call('RPUSH', log, token .. struct.pack('>i8', now) .. ARGV[4])
call('SET', blob, revision .. token .. struct.pack('>i8', fire) .. ARGV[5], 'PXAT', dies)
call('PEXPIREAT', log, dies)
if length == 0 then
  call('ZADD', listing, now, id)
  call('PEXPIREAT', listing, dies, 'NX')
end
-- The listing goes with the last of its tables.
call('PEXPIREAT', listing, dies, 'GT')
if KEYS[5] then
  -- Each result has a number above all before it, so a consumer group knows what it was told of. A second end of a
  -- table, after Redis lost the first, takes its place.
  local newest = call('ZREVRANGE', KEYS[6], 0, 0, 'WITHSCORES')[2]
  call('SET', KEYS[5], revision .. token .. struct.pack('>i8', now) .. ARGV[11], 'PXAT', dies)
  -- Where nobody takes them, results outlive themselves and their rows would stay. (A number is no earlier than the
  -- result.)
  call('ZREMRANGEBYSCORE', KEYS[6], '-inf', string.format('(%.0f', now - ARGV[6]))
  call('ZADD', KEYS[6], math.max(now, (newest or 0) + 1), id)
  call('PEXPIREAT', KEYS[6], dies, 'NX')
  call('PEXPIREAT', KEYS[6], dies, 'GT')
end
-- What is written is written: an error here must not make it look undone.
redis.pcall('SPUBLISH', ARGV[8], token .. revision)
return {'OK', now}
