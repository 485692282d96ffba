/** Lists the protocols of crowds by name, because a thread can receive a name and no function. */
import type { CrowdProtocol } from './crowd-protocol.ts'
import { diptych } from './protocols/diptych.ts'
import { hocuspocus, hocuspocusStored } from './protocols/hocuspocus.ts'
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
  hocuspocus,
  'hocuspocus stored': hocuspocusStored,
  'y-websocket': yWebsocket,
  'socket.io websocket': socketIoWebsocket,
  'socket.io long-poll': socketIoPolling,
  relay,
} as const satisfies Record<string, CrowdProtocol>

export type CrowdProtocolName = keyof typeof crowdProtocols
