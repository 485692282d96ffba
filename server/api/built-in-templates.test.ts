import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInTemplateNames } from '../../lib/protocol/built-in-templates.ts'
import { templatesStrings } from '../../lib/strings/templates.ts'
import { markdownOf } from '../../lib/text/markdown.ts'
import { treeOf } from '../../lib/text/tree.ts'
import { readBuiltInTemplate } from './built-in-templates.ts'
import { type ApiFixture, openApiFixture } from './fixtures/api-fixture.ts'
import { DocumentsByApi } from './fixtures/documents-by-api.ts'

let fixture: ApiFixture
let documents: DocumentsByApi

beforeAll(async () => {
  fixture = await openApiFixture()
  documents = new DocumentsByApi(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const markdownIn = async (document: string) =>
  markdownOf(treeOf((await fixture.loadDocument(document)).getXmlFragment('default')))

describe('a document from a template for everybody', () => {
  test.each(builtInTemplateNames)('%s has its blocks and its title', async (template) => {
    const { cookie } = await fixture.createPerson()
    const { status, json } = await fixture.call('POST', '/api/documents', { cookie, body: { template } })
    expect(status).toBe(201)
    const { title, blocks } = readBuiltInTemplate(template)
    expect([json['title'], blocks.length > 3]).toEqual([title, true])
    expect(title).toContain(templatesStrings.names[template].name.split(' ')[0]!)
    const markdown = await markdownIn(json['id']!)
    expect(markdown).toContain('## ')
    // What the text cannot hold would be letters of Markdown in it.
    expect(markdown).not.toMatch(/\\\*|\\\[|\\\|/)
  })

  test('has another title where one is given, and no other template is known', async () => {
    const { cookie } = await fixture.createPerson()
    const make = (body: object) => fixture.call('POST', '/api/documents', { cookie, body })
    expect((await make({ template: 'checklist', title: 'Release' })).json['title']).toBe('Release')
    expect((await make({ template: '../secret' })).status).toBe(400)
  })
})

describe('a document from a template of one’s own', () => {
  test('is a copy under the title of the template, also of one that others share', async () => {
    const { document, viewer } = await documents.createWithPeople()
    const copy = (body: object | undefined) =>
      fixture.call('POST', `/api/documents/${document}/copies`, { cookie: viewer, body })
    expect((await copy({ title: 'Budget' })).json).toMatchObject({ title: 'Budget', role: 'owner' })
    expect((await copy({})).json['title']).toBe('Copy of Budget')
    expect((await copy(undefined)).json['title']).toBe('Copy of Budget')
  })

  test('cannot be made once the template is gone or no longer shared, and nothing is left of the attempt', async () => {
    const { document, owner, viewer } = await documents.createWithPeople()
    const template = { cookie: viewer, body: { template: true } }
    expect((await fixture.call('PATCH', `/api/documents/${document}/placement`, template)).status).toBe(200)
    expect(await documents.listTitles(viewer, '?filter=templates')).toEqual(['Budget'])
    await fixture.call('DELETE', `/api/documents/${document}`, { cookie: owner })
    const answer = await fixture.call('POST', `/api/documents/${document}/copies`, { cookie: viewer })
    expect([answer.status, await documents.listTitles(viewer, '?filter=templates')]).toEqual([404, []])
    expect(await documents.listTitles(viewer, '?filter=owned')).not.toContain('Budget')
  })
})
