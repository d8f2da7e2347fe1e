import { requireAttributes } from '../body.ts'
import type { Note, NoteRequest } from '../entities.ts'
import type { JsonObject } from '../json.ts'
import { readString } from '../values/string.ts'
import { readUuid } from '../values/uuid.ts'

/** Checks the body of a create or an update. Throws 400 for what is missing, else for the first that is invalid. */
export function parse(body: JsonObject): NoteRequest {
  requireAttributes(body, ['about', 'text'])
  return {
    about: readUuid(body, 'about'),
    text: readString(body, 'text', 0, 200),
  }
}

/** What clients see of it. */
export function present(entity: Note): unknown {
  return {
    id: entity.id,
    about: entity.about,
    node: entity.node,
    text: entity.text,
  }
}
