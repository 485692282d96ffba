import { expect, test } from 'vitest'
import { findSessionCookie } from './session-cookies.ts'

const findCookie = (cookie: string, secure = true, now?: number) =>
  findSessionCookie({ headers: { cookie }, secure }, now)

test('[A10] the present name counts before the former one, which somebody else may have set', () => {
  const cookies = '__Secure-diptych.session_token=theirs; __Host-diptych.session_token=mine'
  expect(findCookie(cookies)).toEqual({ pair: '__Host-diptych.session_token=mine', isFormer: false })
})

test('[A10] the former name counts on TLS alone, and until every such cookie has expired', () => {
  const cookie = '__Secure-diptych.session_token=a'
  expect(findCookie(cookie, true, Date.UTC(2027, 0))).toEqual({
    pair: '__Host-diptych.session_token=a',
    isFormer: true,
  })
  expect(findCookie(cookie, true, Date.UTC(2028, 0))).toBeNull()
  expect(findCookie(cookie, false, Date.UTC(2027, 0))).toBeNull()
})

test('[A10] plain http has a name without a prefix', () => {
  expect(findCookie('diptych.session_token=a', false)?.pair).toBe('diptych.session_token=a')
  expect(findCookie('diptych.session_token=a')).toBeNull()
})
