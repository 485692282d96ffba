/**
 * Every benchmark, in the order in which they run and are reported. A new one adds a file and a line here, and made-up outcomes for the
 * tests in bench/fixtures/fake-outcomes.ts.
 */
import { broadcastScenario } from './broadcast.ts'
import { dashboardScenario } from './dashboard.ts'
import { durableScenario } from './durable.ts'
import { handshakeScenario } from './handshake.ts'
import { idleScenario } from './idle.ts'
import { keystrokesScenario } from './keystrokes.ts'
import { lossScenario } from './loss.ts'
import { networksScenario } from './networks.ts'
import { nodesScenario } from './nodes.ts'
import { openScenario } from './open.ts'
import { overlayScenario } from './overlay.ts'
import { payloadScenario } from './payload.ts'
import { replayScenario } from './replay.ts'
import { roomsScenario } from './rooms.ts'
import { soakScenario } from './soak.ts'
import { stormScenario } from './storm.ts'
import { switchScenario } from './switch.ts'
import { websocketH2Scenario } from './websocket-h2.ts'
import { windowsScenario } from './windows.ts'
import type { Scenario } from '../support/scenario.ts'

export const scenarios: readonly Scenario[] = [
  keystrokesScenario,
  broadcastScenario,
  roomsScenario,
  idleScenario,
  lossScenario,
  durableScenario,
  nodesScenario,
  dashboardScenario,
  openScenario,
  handshakeScenario,
  payloadScenario,
  switchScenario,
  replayScenario,
  stormScenario,
  networksScenario,
  windowsScenario,
  overlayScenario,
  websocketH2Scenario,
  soakScenario,
]
