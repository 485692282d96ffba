import { memo, type ComponentType, type ReactNode, type RefCallback } from 'react'
import { languageOf, levelOf, startOf } from '@/lib/text/attributes.ts'
import { isTextBlock, plainOf } from '@/lib/text/plain.ts'
import { type Block, isText, type Part } from '@/lib/text/tree.ts'
import type { TextMap } from '@/components/following/text-map'
import { Runs } from './marked'
import { strings } from '@/lib/strings/preview.ts'

interface ReadBlockProps {
  readonly block: Block
  readonly map: TextMap
}

/** A block to read, drawn anew when it changed. React writes all text as text, so nothing in it runs. */
export const ReadBlock = memo(function ReadBlock({ block, map }: ReadBlockProps) {
  const Shape = shapes[shapeOf(block)]
  return (
    <Shape block={block} shown={map.ref(block.type)}>
      <Parts parts={block.children} map={map} />
    </Shape>
  )
})

const Parts = ({ parts, map }: { parts: readonly Part[]; map: TextMap }) =>
  parts.map((part) =>
    isText(part) ? (
      <Runs key={part.id} runs={part.runs} />
    ) : (
      <ReadBlock key={part.id} block={part} map={map} />
    ),
  )

interface ShapeProps {
  readonly block: Block
  /** Told which element shows the block. */
  readonly shown: RefCallback<Element>
  readonly children: ReactNode
}

type Shape = ComponentType<ShapeProps>

function shapeOf(block: Block): keyof typeof shapes {
  if (Object.hasOwn(shapes, block.name)) return block.name as keyof typeof shapes
  return isTextBlock(block) ? 'paragraph' : 'other'
}

/** An empty one is as high as a line. */
const Paragraph: Shape = ({ block, shown, children }) => (
  <p ref={shown}>
    {children}
    {plainOf(block) === '' && <br />}
  </p>
)

/** Of a newer page: what is in it can be read. */
const Box: Shape = ({ shown, children }) => <div ref={shown}>{children}</div>

/** One level lower than in the text: the page's one h1 is its title. */
const Heading: Shape = ({ block, shown, children }) => {
  const level = levelOf(block)
  const Tag = `h${Math.min(level + 1, 6)}` as 'h2'
  return (
    <Tag ref={shown} dir="auto" className={`level-${Math.min(level, 4)}`}>
      {children}
    </Tag>
  )
}

const TaskItem: Shape = ({ block, shown, children }) => {
  const isDone = block.attributes.checked === true
  return (
    <li dir="auto" data-checked={isDone}>
      <label>
        <input type="checkbox" checked={isDone} disabled aria-label={plainOf(block) || strings.emptyTask} />
      </label>
      <div ref={shown}>{children}</div>
    </li>
  )
}

const OrderedList: Shape = ({ block, shown, children }) => (
  <ol ref={shown} start={startOf(block)}>
    {children}
  </ol>
)

const TaskList: Shape = ({ shown, children }) => (
  <ul ref={shown} data-type="taskList">
    {children}
  </ul>
)

const CodeBlock: Shape = ({ block, shown, children }) => (
  <pre ref={shown}>
    <code data-language={languageOf(block) ?? undefined}>{children}</code>
  </pre>
)

const shapes = {
  paragraph: Paragraph,
  heading: Heading,
  blockquote: ({ shown, children }: ShapeProps) => (
    <blockquote ref={shown} dir="auto">
      {children}
    </blockquote>
  ),
  bulletList: ({ shown, children }: ShapeProps) => <ul ref={shown}>{children}</ul>,
  orderedList: OrderedList,
  listItem: ({ shown, children }: ShapeProps) => (
    <li ref={shown} dir="auto">
      {children}
    </li>
  ),
  taskList: TaskList,
  taskItem: TaskItem,
  codeBlock: CodeBlock,
  horizontalRule: ({ shown }: ShapeProps) => <hr ref={shown} />,
  hardBreak: () => <br />,
  other: Box,
} satisfies Record<string, Shape>
