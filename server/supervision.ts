/** What a supervisor and its server say to each other, by the channel that Node opens between a process and its child. */

export const READY = 'ready'
export const END = 'end'

/**
 * At the server's side. Without a supervisor nothing happens. @param end Called when the supervisor asks for it, or is gone, however
 * it went: a server that nobody ends would hold its ports and its folder.
 */
export function followSupervisor(end: (why: string) => void): void {
  if (!process.channel) return
  process.on('message', (message) => {
    if (message === END) end('the supervisor')
  })
  process.on('disconnect', () => end('the end of the supervisor'))
}

export function tellReady(): void {
  // One that is gone is heard of by its channel's end.
  process.send?.(READY, undefined, undefined, () => {})
}
