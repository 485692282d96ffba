/** The languages that a crowd speaks, by name: a name is all that a thread can be given. */
import type { CrowdProtocol } from './protocol.ts'
import { diptych } from './protocols/diptych.ts'
import { hocuspocus } from './protocols/hocuspocus.ts'
import { relay } from './protocols/relay.ts'
import { socketIoPolling, socketIoWebsocket } from './protocols/socket-io.ts'
import { stock, yWebsocket } from './protocols/y-websocket.ts'

export const crowdProtocols = {
  'diptych websocket': diptych('websocket'),
  'diptych sse': diptych('sse'),
  'diptych stream': diptych('stream'),
  'diptych long-poll': diptych('long-poll'),
  'diptych poll': diptych('poll'),
  'diptych stock': stock,
  hocuspocus: hocuspocus('applied'),
  'hocuspocus stored': hocuspocus('stored'),
  'y-websocket': yWebsocket,
  'socket.io websocket': socketIoWebsocket,
  'socket.io long-poll': socketIoPolling,
  relay,
} as const satisfies Record<string, CrowdProtocol>

export type CrowdProtocolName = keyof typeof crowdProtocols
