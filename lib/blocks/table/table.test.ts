import { describeBlock } from '../block.contract.ts'
import { table, tableCell, tableRow } from './table.ts'

describeBlock(table, { notInMarkdown: 'A table that is read names its columns. See table-markdown.test.ts.' })
describeBlock(tableRow, { notInMarkdown: 'A row is read with its table.' })
describeBlock(tableCell, { notInMarkdown: 'A cell is read with its table.' })
