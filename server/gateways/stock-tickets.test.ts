import { afterEach, expect, test, vi } from 'vitest'
import { StockTickets } from './stock-tickets.ts'

const person = (id: string) => ({ id, name: id, credential: id })
const caller = { ...person('link:c'), token: 'c' }

afterEach(() => void vi.useRealTimers())

const issued = (tickets: StockTickets, principal = person('a'), many = 5_000): string[] =>
  Array.from({ length: many }, () => tickets.issue(principal, 'x')).filter((ticket) => ticket !== null)

test('[A6] one principal’s tickets leave room for everybody else’s', () => {
  const tickets = new StockTickets()
  expect([issued(tickets).length, issued(tickets, caller).length]).toEqual([200, 4_000])
  expect(issued(tickets, person('b')).length).toBe(200)
})

test('[A6] a ticket that was used or has expired makes room for another', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const tickets = new StockTickets()
  const [first, second] = issued(tickets)
  expect(tickets.redeem(first!, 'x')).toEqual(person('a'))
  expect(tickets.redeem(first!, 'x')).toBeNull()
  expect(tickets.redeem(second!, 'y')).toBeNull()
  expect(tickets.redeem(second!, 'x')).toBeNull()
  expect(issued(tickets).length).toBe(2)
  vi.advanceTimersByTime(30_000)
  expect(issued(tickets).length).toBe(200)
})
