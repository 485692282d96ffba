/** The messages between a supervisor and its server, over the channel that Node opens between a process and its child. */

export const READY_MESSAGE = 'ready'
export const END_MESSAGE = 'end'

/**
 * Runs in the server; without a supervisor it does nothing.
 * @param onEnd Called when the supervisor asks the server to end, or is gone for any reason: a server that nobody ends would hold
 * its ports and its folder.
 */
export function listenToSupervisor(onEnd: (why: string) => void): void {
  if (!process.channel) return
  process.on('message', (message) => {
    if (message === END_MESSAGE) onEnd('the supervisor')
  })
  process.on('disconnect', () => onEnd('the end of the supervisor'))
}

export function sendReady(): void {
  // The end of the channel reports a supervisor that is gone.
  process.send?.(READY_MESSAGE, undefined, undefined, () => {})
}
