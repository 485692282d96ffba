import { memo, type ComponentType, type ReactNode, type RefCallback } from 'react'
import { codeLanguageOf } from '@/lib/blocks/code-block/code-block.ts'
import { headingLevelOf } from '@/lib/blocks/heading/heading.ts'
import { listStartOf } from '@/lib/blocks/ordered-list/ordered-list.ts'
import { isTaskDone } from '@/lib/blocks/task-list/is-task-done.ts'
import { isTextBlock, blockTextOf } from '@/lib/text/plain-text.ts'
import { type Block, isTextNode, type TreeNode } from '@/lib/text/tree.ts'
import type { TextElementMap } from '@/components/following/text-element-map.ts'
import { TextRuns } from './text-runs.tsx'
import { strings } from '@/lib/strings/preview.ts'

interface ReadOnlyBlockProps {
  readonly block: Block
  readonly map: TextElementMap
}

/** A read-only block, redrawn when it changed. React writes all text as text, so nothing in it runs. */
export const ReadOnlyBlock = memo(function ReadOnlyBlock({ block, map }: ReadOnlyBlockProps) {
  const BlockComponent = blockComponents[componentNameOf(block)]
  return (
    <BlockComponent block={block} elementRef={map.ref(block.type)}>
      <BlockChildren nodes={block.children} map={map} />
    </BlockComponent>
  )
})

const BlockChildren = ({ nodes, map }: { nodes: readonly TreeNode[]; map: TextElementMap }) =>
  nodes.map((node) =>
    isTextNode(node) ? (
      <TextRuns key={node.id} runs={node.runs} />
    ) : (
      <ReadOnlyBlock key={node.id} block={node} map={map} />
    ),
  )

interface BlockComponentProps {
  readonly block: Block
  /** Called with the element that shows the block. */
  readonly elementRef: RefCallback<Element>
  readonly children: ReactNode
}

type BlockComponent = ComponentType<BlockComponentProps>

function componentNameOf(block: Block): keyof typeof blockComponents {
  if (Object.hasOwn(blockComponents, block.name)) return block.name as keyof typeof blockComponents
  return isTextBlock(block) ? 'paragraph' : 'other'
}

/** An empty paragraph is as high as a line. */
const Paragraph: BlockComponent = ({ block, elementRef, children }) => (
  <p ref={elementRef}>
    {children}
    {blockTextOf(block) === '' && <br />}
  </p>
)

/** A block that only a newer page knows: its content can be read. */
const OtherBlock: BlockComponent = ({ elementRef, children }) => <div ref={elementRef}>{children}</div>

/** One level lower than in the text, because the page's only h1 is its title. */
const Heading: BlockComponent = ({ block, elementRef, children }) => {
  const level = headingLevelOf(block.attributes)
  const Tag = `h${Math.min(level + 1, 6)}` as 'h2'
  return (
    <Tag ref={elementRef} dir="auto" className={`level-${Math.min(level, 4)}`}>
      {children}
    </Tag>
  )
}

const TaskItem: BlockComponent = ({ block, elementRef, children }) => {
  const isDone = isTaskDone(block.attributes)
  return (
    <li dir="auto" data-checked={isDone}>
      <label>
        <input
          type="checkbox"
          checked={isDone}
          disabled
          aria-label={blockTextOf(block) || strings.emptyTask}
        />
      </label>
      <div ref={elementRef}>{children}</div>
    </li>
  )
}

const OrderedList: BlockComponent = ({ block, elementRef, children }) => (
  <ol ref={elementRef} start={listStartOf(block.attributes)}>
    {children}
  </ol>
)

const TaskList: BlockComponent = ({ elementRef, children }) => (
  <ul ref={elementRef} data-type="taskList">
    {children}
  </ul>
)

const CodeBlock: BlockComponent = ({ block, elementRef, children }) => (
  <pre ref={elementRef}>
    <code data-language={codeLanguageOf(block.attributes) ?? undefined}>{children}</code>
  </pre>
)

const blockComponents = {
  paragraph: Paragraph,
  heading: Heading,
  blockquote: ({ elementRef, children }: BlockComponentProps) => (
    <blockquote ref={elementRef} dir="auto">
      {children}
    </blockquote>
  ),
  bulletList: ({ elementRef, children }: BlockComponentProps) => <ul ref={elementRef}>{children}</ul>,
  orderedList: OrderedList,
  listItem: ({ elementRef, children }: BlockComponentProps) => (
    <li ref={elementRef} dir="auto">
      {children}
    </li>
  ),
  taskList: TaskList,
  taskItem: TaskItem,
  codeBlock: CodeBlock,
  horizontalRule: ({ elementRef }: BlockComponentProps) => <hr ref={elementRef} />,
  hardBreak: () => <br />,
  other: OtherBlock,
} satisfies Record<string, BlockComponent>
