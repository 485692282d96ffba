/** A change of a person's own order that cannot be made. The message says why. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused'
  readonly code: 'not-found' | 'conflict' | 'full'

  constructor(code: OrderRefused['code'], message: string) {
    super(message)
    this.code = code
  }
}
