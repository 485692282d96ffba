/** The languages that a crowd speaks, by name: a name is all that a thread can be given. */
import type { Dialect } from './dialect.ts'
import { diptych } from './dialects/diptych.ts'
import { hocuspocus } from './dialects/hocuspocus.ts'
import { relay } from './dialects/relay.ts'
import { socketIoPolling, socketIoWebsocket } from './dialects/socket-io.ts'
import { stock, yWebsocket } from './dialects/y-websocket.ts'

export const dialects = {
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
} as const satisfies Record<string, Dialect>

export type DialectName = keyof typeof dialects
