import { expect, test } from 'vitest'
import { Garbled } from './garbled.ts'

test.each(['bad-frame', 'bad-message'] as const)(
  '[S9] %s is a broken link three times, then it is the end',
  (code) => {
    const garbled = new Garbled()
    const judged = Array.from({ length: 4 }, () => garbled.judge({ code, detail: 'd' }).code)
    expect(judged).toEqual(['lost', 'lost', 'lost', code])
  },
)

test('[S9] a link that lasted counts as a fresh start', () => {
  const garbled = new Garbled()
  for (let count = 0; count < 3; count++) garbled.judge({ code: 'bad-frame' })
  garbled.forget()
  expect(garbled.judge({ code: 'bad-frame', detail: 'd' })).toEqual({
    code: 'lost',
    detail: 'A frame could not be decoded. (d)',
  })
})

test.each(['lost', 'forbidden', 'bad-update', 'version', 'sign-in'] as const)(
  '[S9] %s is what it is',
  (code) => expect(new Garbled().judge({ code })).toEqual({ code }),
)
