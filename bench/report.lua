-- Claims an execution, renews the claim and reports the result. Any connection sends the next step of a claim.
local authorization = os.getenv("BENCH_AUTHORIZATION")
local secrets = {}
local steps = {}

local function send(method, path, authorized, body)
  local headers = { ["Authorization"] = authorized, ["Content-Type"] = "application/json" }
  return wrk.format(method, "/api/v2" .. path, headers, body)
end

request = function()
  local step = table.remove(steps, 1)
  if step then
    return step
  end
  return send("POST", "/worker/claims", authorization, '{"queues":["bench"]}')
end

-- Failed requests are counted separately.
local failed = 0
response = function(status, _, body)
  if status ~= 200 then
    failed = failed + 1
    wrk.thread:set("failed", failed)
    return
  end
  local secret = body:match('"secret":"([^"]+)"')
  local renewed = body:match('^{"execution_id":(%d+)')
  if secret then
    local id = body:match('"id":(%d+)')
    secrets[id] = "Bearer " .. secret
    table.insert(steps, send("PUT", "/worker/claims/" .. id, secrets[id], "{}"))
  elseif renewed then
    local finish = '{"status":"finished","result":"success"}'
    table.insert(steps, send("PUT", "/callback_executions/" .. renewed, secrets[renewed], finish))
    secrets[renewed] = nil
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
