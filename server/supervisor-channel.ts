/** What a supervisor and its server say to each other, by the channel that Node opens between a process and its child. */

export const READY_MESSAGE = 'ready'
export const END_MESSAGE = 'end'

/**
 * At the server's side. Without a supervisor nothing happens. @param onEnd Called when the supervisor asks for it, or is gone, however
 * it went: a server that nobody ends would hold its ports and its folder.
 */
export function listenToSupervisor(onEnd: (why: string) => void): void {
  if (!process.channel) return
  process.on('message', (message) => {
    if (message === END_MESSAGE) onEnd('the supervisor')
  })
  process.on('disconnect', () => onEnd('the end of the supervisor'))
}

export function sendReady(): void {
  // One that is gone is heard of by its channel's end.
  process.send?.(READY_MESSAGE, undefined, undefined, () => {})
}
