import { expect, test } from 'vitest'
import type { Principal } from '../access/principal.ts'
import { PrincipalCount } from './principal-count.ts'

const person: Principal = { id: 'user:a', name: 'A', credential: 'c' }
const link: Principal = { id: 'link:a', name: 'B', credential: 'd', token: 'token' }

test.each([
  ['a person', person, 2_000],
  ['a link’s token', link, 20_000],
])('[A6] %s has so many connections at most, and again as many as are let go', (_who, principal, limit) => {
  const count = new PrincipalCount()
  const undos: (() => void)[] = []
  while (undos.length <= limit && count.hasRoomFor(principal)) undos.push(count.add(principal))
  expect(undos).toHaveLength(limit)
  expect(count.refusal(principal)).toMatchObject({
    code: 'overloaded',
    detail: `more than ${limit} connections of one person or link`,
  })
  for (let twice = 0; twice < 2; twice++) undos[0]!()
  expect(count.countOf(principal)).toBe(limit - 1)
  expect(count.hasRoomFor({ ...principal, id: 'somebody else' })).toBe(true)
})
