import { afterEach, expect, test, vi } from 'vitest'
import { StockTickets } from './stock-tickets.ts'

const principalOf = (id: string) => ({ id, name: id, credential: id })
const linkPrincipal = { ...principalOf('link:c'), token: 'c' }

afterEach(() => void vi.useRealTimers())

const issueMany = (tickets: StockTickets, principal = principalOf('a'), count = 5_000): string[] =>
  Array.from({ length: count }, () => tickets.issue(principal, 'x')).filter((ticket) => ticket !== null)

test('[A6] one principal’s tickets leave room for everybody else’s', () => {
  const tickets = new StockTickets()
  expect([issueMany(tickets).length, issueMany(tickets, linkPrincipal).length]).toEqual([200, 4_000])
  expect(issueMany(tickets, principalOf('b')).length).toBe(200)
})

test('[A6] a ticket that was used or has expired makes room for another', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const tickets = new StockTickets()
  const [first, second] = issueMany(tickets)
  expect(tickets.redeem(first!, 'x')).toEqual(principalOf('a'))
  expect(tickets.redeem(first!, 'x')).toBeNull()
  expect(tickets.redeem(second!, 'y')).toBeNull()
  expect(tickets.redeem(second!, 'x')).toBeNull()
  expect(issueMany(tickets).length).toBe(2)
  vi.advanceTimersByTime(30_000)
  expect(issueMany(tickets).length).toBe(200)
})
