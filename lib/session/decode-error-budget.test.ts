import { expect, test } from 'vitest'
import { DecodeErrorBudget } from './decode-error-budget.ts'

test.each(['bad-frame', 'bad-message'] as const)(
  '[S9] %s counts as a broken link three times, then it ends the session',
  (code) => {
    const budget = new DecodeErrorBudget()
    const downgraded = Array.from({ length: 4 }, () => budget.downgrade({ code, detail: 'd' }).code)
    expect(downgraded).toEqual(['lost', 'lost', 'lost', code])
  },
)

test('[S9] a link that lasted counts as a fresh start', () => {
  const budget = new DecodeErrorBudget()
  for (let count = 0; count < 3; count++) budget.downgrade({ code: 'bad-frame' })
  budget.reset()
  expect(budget.downgrade({ code: 'bad-frame', detail: 'd' })).toEqual({
    code: 'lost',
    detail: 'A frame could not be decoded. (d)',
  })
})

test.each(['lost', 'forbidden', 'bad-update', 'version', 'sign-in'] as const)(
  '[S9] %s is passed on unchanged',
  (code) => expect(new DecodeErrorBudget().downgrade({ code })).toEqual({ code }),
)
