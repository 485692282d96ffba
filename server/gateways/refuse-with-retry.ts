/** Refuses a WebSocket for now. A browser shows its page nothing of a refused upgrade, so the reason is sent in an accepted one. */
import { webSocketCloseCode, writeWebSocketReason } from '../../lib/protocol/http.ts'
import type { HttpRefusal } from './http-refusals.ts'
import type { UpgradeRequest } from './upgrade-request.ts'

/** Sends a page the time of its retry, so that it assumes a busy server, and not a transport that does not work. */
export function refuseWithRetry(upgradeRequest: UpgradeRequest, refusal: HttpRefusal): void {
  const { retryAfterS, message } = refusal
  const isPage = upgradeRequest.request.headers.origin !== undefined
  if (retryAfterS === undefined || !isPage) return upgradeRequest.refuse(refusal)
  const reason = { code: 'overloaded', detail: message, retryAfterMs: retryAfterS * 1000 } as const
  upgradeRequest.accept((webSocket) => {
    webSocket.on('error', () => webSocket.terminate())
    webSocket.close(webSocketCloseCode(reason.code), writeWebSocketReason(reason))
  })
}
