import { expect, test } from 'vitest'
import { proseMirrorKeysOf } from './prose-mirror-keys.ts'

test.each([
  ['Mod+B', ['Mod-b', 'Mod-B']],
  ['Mod+Shift+S', ['Mod-Shift-s', 'Mod-Shift-S']],
  ['Mod+Shift+8', ['Mod-Shift-8']],
])('%s is %j for ProseMirror', (keys, written) => expect(proseMirrorKeysOf(keys)).toEqual(written))
