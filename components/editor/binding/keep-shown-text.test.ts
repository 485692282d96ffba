import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomTexts } from '@/lib/text/fixtures/random-text.ts'
import { writeShownText } from './keep-shown-text.ts'
import { textSchema } from '../schema-extensions.ts'
import { fitsSchema, TextReader } from './text-reader.ts'

test('[W11] whatever a text holds, what is shown of it can be kept: it fits then, and shows the same', () => {
  fc.assert(
    fc.property(randomTexts, (text) => {
      const shown = new TextReader(textSchema).readText(text)
      text.doc!.getText('title').insert(0, 'Plan')
      writeShownText(text.doc!)
      expect(fitsSchema(text, textSchema)).toBe(true)
      expect(new TextReader(textSchema).readText(text).toString()).toBe(shown.toString())
      expect(text.doc!.getText('title').toJSON()).toBe('Plan')
    }),
    { numRuns: 100 },
  )
})
