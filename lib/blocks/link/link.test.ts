import fc from 'fast-check'
import { describeMark } from '../mark.contract.ts'
import { link } from './link.ts'

describeMark(link, {
  attributes: fc.record({ href: fc.constantFrom('https://example.org/a?b=c', 'mailto:ada@example.org') }),
})
