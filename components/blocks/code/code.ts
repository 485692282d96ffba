import { Code } from 'lucide-react'
import type { InputRuleMatch } from '@tiptap/core'
import { code as definition } from '@/lib/blocks/code/code.ts'
import { markBlock } from '../mark-block.ts'

export const code = markBlock(definition, { keys: 'Mod+E', Icon: Code, typed: [codeAtEnd], exitable: true })

/** Letters between two backticks. A third one before them begins a code block. */
function codeAtEnd(text: string): InputRuleMatch | null {
  const match = /(?<!`)`([^`]+)`$/.exec(text)
  return match && { index: match.index, text: match[0], replaceWith: match[1]! }
}
