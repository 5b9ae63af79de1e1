-- One of 10,000 experiments, chosen at random, is asked to go along the transition from its state to itself.
local authorization = os.getenv("BENCH_AUTHORIZATION")
local headers = { ["Authorization"] = authorization, ["Content-Type"] = "application/json" }
local body = '{"state_label":"resting"}'

request = function()
  return wrk.format("PUT", "/api/v2/experiments/" .. math.random(10000) .. "/state", headers, body)
end

-- Only moves that were made count: everything else is told apart.
local refused = 0
response = function(status)
  if status ~= 200 then
    refused = refused + 1
    wrk.thread:set("refused", refused)
  end
end

local threads = {}
setup = function(thread)
  table.insert(threads, thread)
end

done = function(summary)
  local refusals = 0
  for _, thread in ipairs(threads) do
    refusals = refusals + (thread:get("refused") or 0)
  end
  io.write(string.format("BENCH %d %d %d\n", summary.requests - refusals, refusals, summary.duration))
end
