#!lua flags=allow-oom
-- Takes results for a group of consumers. A Redis that is full runs it, for what was taken can be acknowledged and goes:
-- a group's part is never longer than the outbox.
-- KEYS: 1 the tenant's outbox  2 the group's part of it (in one slot)
-- ARGV: 1 how many at most  2 ms until one is given again
local call = redis.call
local outbox, part, limit = KEYS[1], KEYS[2], ARGV[1]
local dies = call('PEXPIRETIME', outbox)
if dies == -2 then
  call('DEL', part)
  return {}
end
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- What the group was not told of yet waits from now on.
local told = call('ZSCORE', part, '')
local first = told and '(' .. string.format('%.0f', -told) or '-inf'
local new = call('ZRANGEBYSCORE', outbox, first, '+inf', 'WITHSCORES', 'LIMIT', 0, limit)
for i = 1, #new, 2 do
  call('ZADD', part, now, new[i], -new[i + 1], '')
end
call('PEXPIREAT', part, dies)

local taken = call('ZRANGEBYSCORE', part, 0, now, 'LIMIT', 0, limit)
for _, id in ipairs(taken) do call('ZADD', part, now + ARGV[2], id) end
return taken
