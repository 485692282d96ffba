/** The part of BroadcastChannel that is used here: all other channels of the same name receive what is posted, in order. */
export interface BroadcastChannelLike {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}
