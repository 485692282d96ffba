/** Counts the messages between nodes. It knows numbers; it does not know who reads them. */
export class FanoutCounts {
  /** Handed to a medium. A message that two media carry counts twice. */
  published = 0
  received = 0
  /** Published while no medium was there or it was too slow, or too long for it, or lost with a connection. */
  dropped = 0
}
