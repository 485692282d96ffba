/** Templates that everybody has, as Markdown. A heading of the first level is the title of the new document. */
import { readMarkdown, type ReadText } from '../../lib/import/read-markdown.ts'
import { ImportLosses } from '../../lib/import/import-losses.ts'
import type { BuiltInTemplateName } from '../../lib/protocol/built-in-templates.ts'

const sources: Readonly<Record<BuiltInTemplateName, string>> = {
  'meeting-notes': `# Meeting notes

**Date:**\x20
**People:**\x20

## Agenda

1. What has happened since the last meeting
2. What we decide today
3. What comes next

## Notes

## Decisions

-\x20

## To do

- [ ] Who does what, by when
`,
  'weekly-plan': `# Weekly plan

## The one thing that matters this week

> Write it as a result, not as an activity.

## Monday to Friday

| Day | Goals | Done |
| --- | --- | --- |
| Monday |  |  |
| Tuesday |  |  |
| Wednesday |  |  |
| Thursday |  |  |
| Friday |  |  |

## If there is time

- [ ]\x20

## Looking back

What went well? What do I change next week?
`,
  'project-brief': `# Project brief

## Problem

Who has it, how often, and what does it cost them?

## Goal

What is true when we are done that is not true today? How do we measure it?

## Not part of this

-\x20

## Plan

| Step | Who | By |
| --- | --- | --- |
|  |  |  |

## Risks

| What could go wrong | How likely | What we do about it |
| --- | --- | --- |
|  |  |  |

## Open questions

- [ ]\x20
`,
  'decision-record': `# Decision: title

**Status:** proposed
**Date:**\x20
**Who decides:**\x20

## Context

What forces are at work, and why must something be decided now?

## Options

### Option 1

In favour:

Against:

### Option 2

In favour:

Against:

## Decision

We do … because …

## Consequences

What becomes easier, what becomes harder, and when do we look at this again?
`,
  interview: `# Interview: name

**Date:**\x20
**Interviewer:**\x20
**Role or topic:**\x20

## Before we begin

- [ ] Explain who we are and how long it takes
- [ ] Ask whether notes may be taken

## Questions

1. Tell me about the last time you …
2. What was the hardest part of it?
3. What have you tried?

## Notes

## Quotes

> “”

## What we learned

-\x20
`,
  checklist: `# Checklist

When is this used, and who uses it?

## Before

- [ ]\x20

## During

- [ ]\x20

## After

- [ ] Everybody concerned knows that it is done
`,
}

export const readBuiltInTemplate = (name: BuiltInTemplateName): ReadText =>
  readMarkdown(sources[name], `${name}.md`, new ImportLosses())
