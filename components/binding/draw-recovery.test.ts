import { Plugin, PluginKey } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { highlightExtension, highlightPluginKeys } from '@/components/editor/highlights/highlights.ts'
import { pluginsWithout } from './draw-recovery.ts'

test('plugins that only decorate are told apart by their keys, whatever others are called', () => {
  const source = { get: () => [], subscribe: () => () => {} }
  const highlights = (['commentMarks', 'foundMarks'] as const).flatMap((name) =>
    highlightExtension(name, source).config.addProseMirrorPlugins!.call({} as never),
  )
  expect(highlights).toHaveLength(2)
  // ProseMirror numbers keys of one name: this one begins like ours.
  const namesake = new Plugin({ key: new PluginKey('commentMarks') })
  const nameless = new Plugin({})
  expect(pluginsWithout([...highlights, namesake, nameless], highlightPluginKeys)).toEqual([
    namesake,
    nameless,
  ])
})
