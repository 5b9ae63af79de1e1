-- Every second request moves the next of 10,000 experiments to `working`. The others move an experiment back that entered
-- `working` 64 moves earlier, so that no two requests for an experiment are open at the same time.
local experiments = 10000
local distance = 64
local headers = { ["Authorization"] = os.getenv("BENCH_AUTHORIZATION"), ["Content-Type"] = "application/json" }

local function move(experiment, label)
  local path = "/api/v2/experiments/" .. (experiment % experiments) + 1 .. "/state"
  return wrk.format("PUT", path, headers, '{"state_label":"' .. label .. '"}')
end

local first
local entered = 0
local back = 0
request = function()
  if first == nil then
    math.randomseed(os.time())
    first = math.random(experiments)
  end
  if entered - back < distance then
    entered = entered + 1
    return move(first + entered, "working")
  end
  back = back + 1
  return move(first + back, "resting")
end

-- Failed moves are counted separately.
local failed = 0
response = function(status)
  if status ~= 200 then
    failed = failed + 1
    wrk.thread:set("failed", failed)
  end
end

local threads = {}
setup = function(thread)
  table.insert(threads, thread)
end

done = function(summary)
  local failures = 0
  for _, thread in ipairs(threads) do
    failures = failures + (thread:get("failed") or 0)
  end
  io.write(string.format("BENCH %d %d %d\n", summary.requests - failures, failures, summary.duration))
end
