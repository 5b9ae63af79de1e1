"""Runs the executions of a queue: WORKER_LOGIN=username:password python3 pulling_worker.py <address>/api/v2 <queue>"""
import base64, concurrent.futures, json, os, sys, threading, time, urllib.request
API, QUEUE = sys.argv[1:]
LOGIN = "Basic " + base64.b64encode(os.environ["WORKER_LOGIN"].encode()).decode()

def call(method, path, body, authorization=LOGIN):
    headers = {"Authorization": authorization, "Content-Type": "application/json"}
    request = urllib.request.Request(API + path, json.dumps(body).encode(), headers, method=method)
    while True:  # retries temporary failures; a 4xx response is final
        try:
            return json.load(urllib.request.urlopen(request, timeout=60))
        except Exception as error:
            print(method, path, error, file=sys.stderr, flush=True)
            time.sleep(5)
            if getattr(error, "code", 500) < 500:
                return {"refused": error.code}

def work(claim, log, stopped):  # your code: returns the result values or raises; returns early when stopped is set
    log(f"Working for {claim['experiment']['label']}\n")
    stopped.wait(claim["arguments"]["payload"]["seconds"])
    return {"volume_ml": 1482.5}

def run(claim):
    execution, bearer, lines, stopped = claim["execution"]["id"], "Bearer " + claim["secret"], [], threading.Event()
    with concurrent.futures.ThreadPoolExecutor() as threads:
        working = threads.submit(work, claim, lines.append, stopped)
        while not stopped.is_set():  # renews three times per lease, so that one renewal may get lost
            done, said = concurrent.futures.wait([working], claim["lease_seconds"] / 3).done, len(lines)
            renewed = call("PUT", f"/worker/claims/{execution}", {"log": "".join(lines[:said])}, bearer)
            del lines[:said]
            if not renewed.get("continue"):
                stopped.set()
            elif done:
                end = {"result": "failed", "result_log": repr(error)} if (error := working.exception()) else {
                    "result": "success", "result_values": working.result()}
                return call("PUT", f"/callback_executions/{execution}", {"status": "finished", **end}, bearer)

while True:
    for claim in call("POST", "/worker/claims", {"queues": [QUEUE], "wait_seconds": 20}).get("claims", []):
        run(claim)
