-- For wrk: requests at a fixed or unlimited rate over several hosts and addresses, counted by status.
-- Arguments after `--`: total requests a second (0: unlimited), threads, port, then comma-separated addresses
-- to connect to, Host values, paths, and the Accept-Encoding value.

local ffi = require('ffi')
ffi.cdef [[
  typedef struct { long seconds; long nanoseconds; } moment;
  int clock_gettime(int clock, moment *found);
]]
local found = ffi.new('moment')
local monotonic = 1

local function now_ms()
  ffi.C.clock_gettime(monotonic, found)
  return tonumber(found.seconds) * 1000 + tonumber(found.nanoseconds) / 1e6
end

local function words(list)
  local result = {}
  for word in list:gmatch('[^,]+') do result[#result + 1] = word end
  return result
end

-- Runs before the threads start. wrk passes arguments only to init, so the addresses come from the environment.
local threads = {}
function setup(thread)
  local addresses = words(os.getenv('BENCH_ADDRESSES'))
  local address = addresses[#threads % #addresses + 1]
  thread.addr = wrk.lookup(address, os.getenv('BENCH_PORT'))[1]
  thread:set('number', #threads)
  threads[#threads + 1] = thread
end

local every_ms, due, prepared, at
function init(args)
  local rate, count = tonumber(args[1]), tonumber(args[2])
  every_ms = rate > 0 and 1000 * count / rate or 0
  due = now_ms() + every_ms * number / count
  prepared, at = {}, 0
  for _, path in ipairs(words(args[4])) do
    for _, host in ipairs(words(args[3])) do
      -- Each address represents a separate caller behind a proxy that the gateway trusts.
      for caller = 1, 4 do
        local from = string.format('203.0.113.%d', #prepared % 250 + 1)
        prepared[#prepared + 1] = wrk.format('GET', path, {
          ['Host'] = host, ['Accept-Encoding'] = args[5], ['X-Forwarded-For'] = from,
        })
      end
    end
  end
  statuses, strange, sample = {}, 0, ''
end

function request()
  at = at % #prepared + 1
  return prepared[at]
end

-- The next slot in the thread's schedule, for any free connection. A late connection sends immediately.
function paced_delay()
  local now = now_ms()
  due = math.max(due + every_ms, now - 100)
  return math.max(0, math.floor(due - now + 0.5))
end
if os.getenv('BENCH_PACED') == 'yes' then delay = paced_delay end

function counted_response(status, headers, body)
  local name = tostring(status)
  statuses[name] = (statuses[name] or 0) + 1
  if status == 429 then
    local is_problem = headers['Content-Type'] == 'application/problem+json' and body:find('"code":"platform_busy"', 1, true)
    if not is_problem or headers['retry-after'] ~= '1' then strange = strange + 1 end
    sample = body
  end
end
if os.getenv('BENCH_COUNTED') == 'yes' then response = counted_response end

function done(summary, latency)
  local all, stranges, example = {}, 0, ''
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get('statuses')) do all[status] = (all[status] or 0) + count end
    stranges = stranges + thread:get('strange')
    if example == '' then example = thread:get('sample') end
  end
  local counts = {}
  for status, count in pairs(all) do counts[#counts + 1] = string.format('"%s":%d', status, count) end
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"seconds":%.3f,"statuses":{%s},"strange":%d,"not_2xx":%d,"lost":%d,"p50_ms":%.2f,"p99_ms":%.2f}\n',
    summary.requests, summary.duration / 1e6, table.concat(counts, ','), stranges, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
  io.write('SAMPLE ' .. example .. '\n')
end
