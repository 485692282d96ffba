/** All panels: what they are called, and where their code is. Each is a chunk of its own, fetched when it is first shown. */
import {
  ChartNoAxesColumn,
  Eye,
  History,
  ListTree,
  MessageSquare,
  PencilLine,
  Radio,
  Search,
  Users,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { PanelProps } from './panel'

export interface PanelEntry {
  readonly name: string
  readonly Icon: LucideIcon
  /** What it shows, for menus and help. */
  readonly sentence: string
  load(): Promise<{ readonly default: ComponentType<PanelProps> }>
}

export const panels: Readonly<Record<PanelId, PanelEntry>> = {
  outline: {
    name: 'Outline',
    Icon: ListTree,
    sentence: 'The headings: go to one, or move what belongs to it.',
    load: () => import('./outline/outline-panel'),
  },
  preview: {
    name: 'Preview',
    Icon: Eye,
    sentence: 'The text to read, and as Markdown.',
    load: () => import('./preview/preview-panel'),
  },
  comments: {
    name: 'Comments',
    Icon: MessageSquare,
    sentence: 'What people say about the text.',
    load: () => import('./comments/comments-panel'),
  },
  history: {
    name: 'History',
    Icon: History,
    sentence: 'Earlier versions: compare and restore them.',
    load: () => import('./history/history-panel'),
  },
  people: {
    name: 'People',
    Icon: Users,
    sentence: 'Who is here, and in which windows.',
    load: () => import('./people/people-panel'),
  },
  find: {
    name: 'Find',
    Icon: Search,
    sentence: 'Find and replace.',
    load: () => import('./find/find-panel'),
  },
  statistics: {
    name: 'Statistics',
    Icon: ChartNoAxesColumn,
    sentence: 'Words, characters, reading time and goals.',
    load: () => import('./statistics/statistics-panel'),
  },
  connection: {
    name: 'Connection inspector',
    Icon: Radio,
    sentence: 'How each of your windows is connected, in numbers.',
    load: () => import('./connection/connection-panel'),
  },
  editor: {
    name: 'Second editor',
    Icon: PencilLine,
    sentence: 'The same document or another one, to write in.',
    load: () => import('./editor/editor-panel'),
  },
}
