-- Reads one of 10,000 experiments at random.
local experiments = 10000
local headers = { ["Authorization"] = os.getenv("BENCH_AUTHORIZATION") }

request = function()
  return wrk.format("GET", "/api/v2/experiments/" .. math.random(experiments), headers)
end

done = function(summary)
  local failed = summary.errors.status
  io.write(string.format("BENCH %d %d %d\n", summary.requests - failed, failed, summary.duration))
end
