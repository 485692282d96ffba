/** The benchmarks: `npm run bench` and what it can be asked. Adding one adds a file under scenarios/ and a word here. */
import { bench } from './run/command.ts'
import { commands } from './run/written.ts'
import { durable } from './scenarios/durable.ts'
import { dashboard } from './scenarios/dashboard.ts'
import { handshake } from './scenarios/handshake.ts'
import { idle } from './scenarios/idle.ts'
import { keystrokes } from './scenarios/keystrokes.ts'
import { loss } from './scenarios/loss.ts'
import { badNetworks } from './scenarios/networks.ts'
import { broadcast } from './scenarios/broadcast.ts'
import { overlay } from './scenarios/overlay.ts'
import { opening } from './scenarios/open.ts'
import { payload } from './scenarios/payload.ts'
import { replaying } from './scenarios/replay.ts'
import { rooms } from './scenarios/rooms.ts'
import { soak } from './scenarios/soak.ts'
import { storm } from './scenarios/storm.ts'
import { switching } from './scenarios/switch.ts'
import { websocketH2 } from './scenarios/websocket-h2.ts'
import { manyWindows } from './scenarios/windows.ts'
import { UsageError } from './support/options.ts'

const scenarios = [
  keystrokes,
  broadcast,
  rooms,
  idle,
  loss,
  durable,
  dashboard,
  opening,
  handshake,
  payload,
  switching,
  replaying,
  storm,
  badNetworks,
  manyWindows,
  overlay,
  websocketH2,
  soak,
]

function fail(error: unknown): void {
  process.exitCode = 1
  if (error instanceof UsageError) console.error(`${error.message}\n\nnpm run bench -- --help tells more.`)
  else console.error(error)
}

const [name, ...args] = process.argv.slice(2)
const command = commands[name ?? '']
await (command ? command(scenarios, args) : bench(scenarios, process.argv.slice(2))).catch(fail)
