import type { Fault } from './fault.ts'

/** A platform in which roles, the creator, both or everybody may read and write. */
export const ROLES = `
Desk: project { #authMethod(email); #roles[agent, admin]; }
Member: service { name: string(20); #auth; #readable(by: [this, agent]); #enumerable; }
Ticket: service {
  title: string(20);
  member: Member;
  number: int @unique;
  Comment: struct { text: string(20); #enumerable; }
  Vote: struct { comment: Comment; }
  Close: endpoint { #post("{id}/closing"); #access(by: [agent, admin]); }
  #enumerable;
  #readable(by: [this, agent, admin]);
  #writable(by: [this, admin]);
}
Article: service {
  about: Ticket;
  text: string(20);
  Image: struct { data: data(20); #enumerable; }
  #enumerable;
  #readable(by: all);
  #writable(by: agent);
  #public[webhook];
}
Audit: service {
  article: Article;
  text: string(20) @unique;
  Note: struct { text: string(5); #enumerable; }
  #enumerable;
  #readable(by: [agent, admin]);
  #writable(by: admin);
}
Reply: service { audit: Audit; #enumerable; }
`

/** Roles, planted in `ROLES`. */
export const ROLE_FAULTS: readonly Fault[] = [
  {
    description: 'everybody has every role',
    files: { 'lib/roles.ts': [['caller.roles.includes(role)', 'role !== caller.id']] },
    foundBy: 'Ticket: roles decide who can read',
  },
  {
    description: 'nobody has a role',
    files: { 'lib/roles.ts': [['caller.roles.includes(role)', 'role === caller.id']] },
    foundBy: 'Ticket: roles decide who can read',
  },
  {
    description: 'the creator can read without a role',
    files: { 'lib/roles.ts': [['{ id: MAX_UUID }', 'caller']] },
    foundBy: 'Audit: roles decide who can read',
  },
  {
    description: 'creating requires no role',
    files: { 'audit/src/routes/audit.ts': [["requireRole(caller, 'admin')", '']] },
    foundBy: 'Audit: roles decide who can create',
  },
  {
    description: 'another role can create',
    files: {
      'article/src/routes/article.ts': [["requireRole(caller, 'agent')", "requireRole(caller, 'admin')"]],
    },
    foundBy: 'Article: roles decide who can create',
  },
  {
    description: 'everybody can update',
    files: {
      'ticket/src/routes/ticket.ts': [
        ['await access.requireWritable(lookup.id, caller)', ''],
        ['datastore.as(caller).updateTicket(', 'datastore.updateTicket('],
      ],
    },
    foundBy: 'Ticket: roles decide who can update',
  },
  {
    description: 'another role can delete',
    files: {
      'ticket/src/hooks.ts': [
        ["writer: ownerFilter(caller, 'admin')", "writer: ownerFilter(caller, 'agent')"],
      ],
    },
    foundBy: 'Ticket: roles decide who can delete',
  },
  {
    description: 'a list shows every entity to everybody',
    files: { 'ticket/src/queries/ticket.ts': [['undefined ? list : listOwn', 'undefined ? list : list']] },
    foundBy: 'Ticket: roles decide who can read',
  },
  {
    description: 'a role that may not write adds entries',
    files: {
      'ticket/src/routes/comment.ts': [['datastore.as(caller).createComment(', 'datastore.createComment(']],
    },
    foundBy: 'Ticket.Comment: roles decide who can create',
  },
  {
    description: 'generated routes accept requests without a token',
    files: { 'lib/public.ts': [['if (caller === undefined) throw unauthorized()', '']] },
    foundBy: 'Article: requests below public paths',
  },
  {
    description: 'an endpoint requires no role',
    files: { 'ticket/src/endpoint-routes.ts': [["requireRole(caller, 'agent', 'admin')", '']] },
    foundBy: 'Ticket: close refuses requests without access, and invalid ones',
  },
  {
    description: 'an endpoint admits a role that may not write',
    files: {
      'ticket/src/endpoint-routes.ts': [['env.access.requireWritable(', 'env.access.requireReadable(']],
    },
    foundBy: 'Ticket: close refuses the entity of another user',
  },
  {
    description: 'malformed roles count as none',
    files: { 'lib/tokens.ts': [['.default([])', '.catch([])']] },
    foundBy: 'Member: tokens that are expired',
  },
]
