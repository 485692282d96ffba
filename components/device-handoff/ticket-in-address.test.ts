import { expect, test } from 'vitest'
import { splitTicket } from './ticket-in-address.ts'

test.each<[string, ReturnType<typeof splitTicket>]>([
  ['', null],
  ['#', null],
  ['#text', null],
  ['#token=abc', null],
  ['#ticket=abc', { ticket: 'abc', rest: '' }],
  ['#ticket=', { ticket: '', rest: '' }],
  ['#ticket=abc&place=p1', { ticket: 'abc', rest: '#place=p1' }],
  ['#place=p1&ticket=abc&ticket=def', { ticket: 'abc', rest: '#place=p1' }],
])('[A3] the ticket leaves %s', (hash, expected) => {
  expect(splitTicket(hash)).toEqual(expected)
})
