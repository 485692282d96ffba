/** Counts the bytes of HTTP/1.1 as this client and this server write it. */

/** Counts the bytes in which an HTTP version carries a body of so many bytes. */
export interface HttpBytes {
  /** A part of a body that goes on. */
  piece(bytes: number): number
  /** A POST with its body. */
  request(path: string, bytes: number, authority: string): number
  readonly noContent: number
  /** An answer with its body. */
  answer(bytes: number): number
}

export const headBytes = (...lines: readonly string[]): number =>
  lines.reduce((sum, { length }) => sum + length + 2, 2)

const dated = [
  'Date: Sat, 21 Nov 2026 12:00:00 GMT',
  'Connection: keep-alive',
  'Keep-Alive: timeout=65',
] as const

/** @param what The method and the path. */
export const requestHead = (what: string, authority: string, ...lines: readonly string[]): number =>
  headBytes(`${what} HTTP/1.1`, ...lines, `Host: ${authority}`, 'Connection: keep-alive')

const answerBytes = (status: string, type: string, caching: string, bytes: number): number =>
  bytes +
  headBytes(
    `HTTP/1.1 ${status}`,
    `content-type: ${type}`,
    `content-length: ${bytes}`,
    `cache-control: ${caching}`,
    'x-content-type-options: nosniff',
    ...dated,
  )

interface Http1Bytes extends HttpBytes {
  /** An answer 201 with JSON. */
  created(bytes: number): number
  /** The head of an answer whose body follows in pieces. */
  streamed(type: string): number
}

export const http1: Http1Bytes = {
  piece: (bytes) => bytes.toString(16).length + 2 + bytes + 2,
  request: (path, bytes, authority) =>
    bytes + requestHead(`POST ${path}`, authority, `content-length: ${bytes}`),
  noContent: headBytes('HTTP/1.1 204 No Content', ...dated),
  answer: (bytes) => answerBytes('200 OK', 'application/octet-stream', 'no-store, no-transform', bytes),
  created: (bytes) => answerBytes('201 Created', 'application/json', 'no-store', bytes),
  streamed: (type) =>
    headBytes(
      'HTTP/1.1 200 OK',
      `content-type: ${type}`,
      'cache-control: no-store, no-transform',
      'x-accel-buffering: no',
      ...dated,
      'Transfer-Encoding: chunked',
    ),
}
