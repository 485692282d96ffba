/**
 * Names each request in the lines that are logged for it. Parts that work for many at once, such as rooms and the store, log without:
 * what they do next may have been started by one request, and is about another.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'

const currentRequest = new AsyncLocalStorage<string>()

/** Two processes, one after the other or side by side, give different ids. */
const prefix = randomBytes(4).toString('hex')
let lastNumber = 0

/** Runs the work of one request, under an id of its own. */
export const runAsRequest = <Answer>(work: () => Answer): Answer =>
  currentRequest.run(`${prefix}-${(++lastNumber).toString(36)}`, work)

/** The same log, with the id of the request on each line. */
export const withRequestId = (log: Logger): Logger =>
  log.child(
    {},
    {
      formatters: {
        log(fields) {
          const request = currentRequest.getStore()
          return request === undefined ? fields : { request, ...fields }
        },
      },
    },
  )
