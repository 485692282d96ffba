import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeBlock } from '../block.contract.ts'
import { cardAddressOf, hostOf, linkCard } from './link-card.ts'

describeBlock(linkCard, {
  attributes: fc.record({
    href: fc.constantFrom('', 'https://example.org/a_(b)?c=d&e=f#g', 'mailto:ada@example.org'),
  }),
})

test.each([
  ['https://www.example.org/path', 'www.example.org'],
  ['http://localhost:8080/', 'localhost:8080'],
  ['mailto:ada@example.org', 'ada@example.org'],
  // The end says whose it is.
  [
    `https://${'example.org.'.repeat(6)}elsewhere.example/`,
    `…${'example.org.'.repeat(6)}elsewhere.example`.slice(0, 1) +
      `${'example.org.'.repeat(6)}elsewhere.example`.slice(-50),
  ],
])('%j leads to %j', (address, host) => {
  expect(hostOf(address)).toBe(host)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'diptych-file:x',
  '',
  null,
  7,
  `https://a.example/${'x'.repeat(3_000)}`,
])('%j is no address of a card', (href) => {
  expect(cardAddressOf({ href })).toBe('')
})
