/** Every benchmark, in the order of the run and of its report. Adding one adds a file here and a word below. */
import { broadcast } from './broadcast.ts'
import { dashboard } from './dashboard.ts'
import { durable } from './durable.ts'
import { handshake } from './handshake.ts'
import { idle } from './idle.ts'
import { keystrokes } from './keystrokes.ts'
import { loss } from './loss.ts'
import { badNetworks } from './networks.ts'
import { nodes } from './nodes.ts'
import { opening } from './open.ts'
import { overlay } from './overlay.ts'
import { payload } from './payload.ts'
import { replaying } from './replay.ts'
import { rooms } from './rooms.ts'
import { soak } from './soak.ts'
import { storm } from './storm.ts'
import { switching } from './switch.ts'
import { websocketH2 } from './websocket-h2.ts'
import { manyWindows } from './windows.ts'
import type { Scenario } from '../support/scenario.ts'

export const scenarios: readonly Scenario[] = [
  keystrokes,
  broadcast,
  rooms,
  idle,
  loss,
  durable,
  nodes,
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
