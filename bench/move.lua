-- Moves one of 10,000 experiments, chosen at random, along the transition from its state to itself.
local authorization = os.getenv("BENCH_AUTHORIZATION")
local headers = { ["Authorization"] = authorization, ["Content-Type"] = "application/json" }
local body = '{"state_label":"resting"}'

request = function()
  return wrk.format("PUT", "/api/v2/experiments/" .. math.random(10000) .. "/state", headers, body)
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
