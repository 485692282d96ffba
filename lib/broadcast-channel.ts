/** As much of BroadcastChannel as is used here: all others of the same name hear what is posted, in order. */
export interface BroadcastChannelLike {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}
