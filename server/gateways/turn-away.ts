/** Sends a WebSocket away for now. A browser tells its page nothing of a refused upgrade, so the reason travels within one. */
import { webSocketCloseCode, writeWebSocketReason } from '../../lib/protocol/http.ts'
import type { Refused } from './refusals.ts'
import type { Knock } from './web-socket-knock.ts'

/** Whoever is to come again learns when: a page takes that for a busy server, and not for a transport that does not work. */
export function turnAway(knock: Knock, refused: Refused): void {
  const { retryAfterS, message } = refused
  const isPage = knock.request.headers.origin !== undefined
  if (retryAfterS === undefined || !isPage) return knock.refuse(refused)
  const reason = { code: 'overloaded', detail: message, retryAfterMs: retryAfterS * 1000 } as const
  knock.accept((webSocket) => {
    webSocket.on('error', () => webSocket.terminate())
    webSocket.close(webSocketCloseCode(reason.code), writeWebSocketReason(reason))
  })
}
