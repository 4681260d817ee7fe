#!lua flags=allow-oom
-- A group of consumers has no more need of a result. Answers 1 if it was the group's to acknowledge.
-- KEYS: 1 result  2 the tenant's outbox  3 blob  4 log  5 the tenant's listing  6 the group's part, and then the parts of
--       all other groups (in one slot)
-- ARGV: 1 id (16 bytes)  2 version of the result ('' = drop it from the outbox if it is gone)
--       3 ms that the table is kept for when nobody needs its result any more
-- A Redis that is full runs it: it frees memory.
local call = redis.call
local outbox, id = KEYS[2], ARGV[1]
if call('GETRANGE', KEYS[1], 0, 15) ~= ARGV[2] then return 0 end

-- Whether a group was told of the result: it has the number that the group's part stands at, or a lower one.
local gone, number = ARGV[2] == '', call('ZSCORE', outbox, id)
local function told(part)
  local newest = call('ZSCORE', part, '')
  return newest and -newest >= tonumber(number)
end
-- What is not in this tenant's outbox is another's.
if not gone and not (number and told(KEYS[6])) then return 0 end
local was_theirs = call('ZREM', KEYS[6], id)

local needed = false
for i = 7, #KEYS do
  if gone then
    call('ZREM', KEYS[i], id)
  elseif not told(KEYS[i]) or call('ZSCORE', KEYS[i], id) then
    needed = true
  end
end
if not needed then
  call('ZREM', outbox, id)
  call('DEL', KEYS[1])
  -- (Where the result is gone, a new table may have the id by now.)
  if was_theirs == 1 and not gone then
    call('PEXPIRE', KEYS[3], ARGV[3])
    call('PEXPIRE', KEYS[4], ARGV[3])
    -- Nobody would tell the listing that the table has gone, and it lives as long as the last of them.
    call('ZREM', KEYS[5], id)
  end
  local newest = call('ZREVRANGE', outbox, 0, 0, 'WITHSCORES')[2]
  for i = 6, #KEYS do
    -- The next number is above those that are still there, and where the clock went back perhaps below this one's: no
    -- group may stand beyond it.
    local stands = newest and call('ZSCORE', KEYS[i], '')
    if not newest then
      call('DEL', KEYS[i])
    elseif stands and -stands > tonumber(newest) then
      call('ZADD', KEYS[i], '-' .. newest, '')
    end
  end
end
return was_theirs
