import type { Fault } from './fault.ts'

type Files = NonNullable<Fault['files']>

/** The same faults in services in Go, by description. All that change generated files are here. */
export const GO_FILES: Readonly<Record<string, Files>> = {
  'everyone can read': {
    'note/note_routes.go': [['As(caller).ReadNote(', 'ReadNote(']],
  },
  'a hidden entity is 403 instead of 404': {
    'internal/platform/responses.go': [
      ['http.StatusNotFound, Message: fmt.Sprintf(', 'http.StatusForbidden, Message: fmt.Sprintf('],
    ],
  },
  'created entities have no owner': {
    'note/note_routes.go': [
      ['CreateNote(ctx, input, caller.ID)', 'CreateNote(ctx, input, platform.NewID())'],
    ],
  },
  "a list shows other users' entities": {
    'note/note_routes.go': [['As(caller).readNoteList(', 'readNoteList(']],
  },
  'everyone can update': {
    'home/home_routes.go': [
      ['err := env.RequireWritable(ctx, lookup.ID, caller)', 'err := error(nil)'],
      ['As(caller).UpdateHome(', 'UpdateHome('],
    ],
  },
  'everyone can delete': {
    'home/home_routes.go': [['As(caller).DeleteHome(', 'DeleteHome(']],
  },
  'a readable entity is 404 on a forbidden write': {
    'home/home_queries.go': [['platform.Forbidden()', 'platform.NotFound("Home", id)']],
  },
  'the service trusts a header that names a user': {
    'internal/platform/tokens.go': [
      [
        'return known.caller, nil',
        'if id, isValid := ParseID(r.Header.Get("From")); isValid {\nknown.caller.ID = id\n}\nreturn known.caller, nil',
      ],
    ],
  },
  'everyone can add entries': {
    'home/photo_routes.go': [['As(caller).CreatePhoto(', 'CreatePhoto(']],
  },
  'an entry is found under any parent': {
    'home/photo_queries.go': [['"photo"."_parent" = $2)`,', '$2::uuid is not null)`,']],
  },
  'a user has several entities of an #auth service': {
    'host/host_routes.go': [[/(ID: +)caller\.ID,/, '$1platform.NewID(),']],
    'host/host_queries.go': [['input.ID = owner\n', '']],
  },
  'identify returns 200': {
    'host/host_routes.go': [
      [
        'return platform.Redirect(w, "host", found.ID.String())',
        'w.Header().Set("Location", "/api/host/"+found.ID.String())\nreturn nil',
      ],
    ],
  },

  'create returns 200': {
    'internal/platform/responses.go': [['http.StatusCreated', 'http.StatusOK']],
  },
  'create returns no location': {
    'internal/platform/responses.go': [[/w\.Header\(\)\.Set\("Location".*/, '_ = location']],
  },
  'the location of an entry lacks its parent': {
    'home/photo_routes.go': [['"home", created.ParentID.String(), ', '']],
  },
  'responses may be cached': {
    'internal/platform/api.go': [['header.Set("Cache-Control", "no-store")', '']],
  },
  'a @server attribute leaks': { 'home/home.go': [[/(Secret +string +`json:")-/, '$1secret']] },
  'a @serverSet attribute is missing in responses': {
    'home/home.go': [[/(ListedAt +time\.Time +`json:")listedAt/, '$1-']],
  },
  'attributes are in another order': {
    'home/home.go': [[/(type Home struct \{\n)((?:.*\n){3})(.*Beds.*\n)/, '$1$3$2']],
  },
  'a zero value is wrong': {
    'home/home_routes.go': [[/(Code: +request\.Code,)/, '$1 ListedAt: platform.Now(),']],
  },
  'ids are version 4 UUIDs': {
    'internal/platform/values.go': [['uuid.Must(uuid.NewV7())', 'uuid.New()']],
  },
  'an uppercase id is unknown': {
    'internal/platform/values.go': [
      ['return id, err == nil', 'return id, err == nil && id.String() == text'],
    ],
  },
  'a malformed id is 404': {
    'internal/platform/request.go': [['BadRequest("Invalid id: %s", text)', 'NotFound(text, id)']],
  },
  'update ignores an attribute': {
    'home/home_routes.go': [[/(input := request\.changes\(.*)/, '$1\ninput.Rate = nil']],
  },
  'a patch resets what it leaves out': {
    'internal/platform/values.go': [['return v.isPatch && !isGiven', 'return false && isGiven']],
  },
  'null in a patch stores the default': {
    'internal/platform/values.go': [['!v.Has(name) && !v.isPatch', '!v.Has(name)']],
  },
  'an empty patch sets the time of the last change': {
    'home/tag_queries.go': [['if input == (', 'if false && input == (']],
  },
  "update changes all of a user's entities": {
    'home/home_queries.go': [
      [/(update "home"[^]*?where \()"home"\."id" = (\$\d+)/, '$1$2::uuid is not null'],
    ],
  },
  "delete removes all of a user's entities": {
    'note/note_queries.go': [
      [/(delete\s+from "note"\s+where \()"note"\."id" = \$1/, '$1$$1::uuid is not null'],
    ],
  },
  'delete returns the entity': {
    'note/note_routes.go': [['struct{}{}', 'lookup']],
  },
  '405 has no Allow header': { 'internal/platform/api.go': [['{"Allow":', '{"X-Allow":']] },
  'the path of a list is routed to an entity': {
    'note/note_routes.go': [['HandleList("/note/all"', 'Handle("GET /note/all"']],
  },
  'an unknown path is 405': {
    'internal/platform/api.go': [
      [
        'http.StatusNotFound, Message: "Not found"',
        'http.StatusMethodNotAllowed, Message: "Method not allowed"',
      ],
    ],
  },

  'a list is in the wrong order': {
    'home/home_queries.go': [[/order by "home"\."id" (limit)/, 'order by "home"."id" desc $1']],
  },
  'a page has one entity too many': {
    'internal/platform/lists.go': [['return limit, nil', 'return limit + 1, nil']],
  },
  'no page links to the next': {
    'internal/platform/lists.go': [['if list.next != "" {', 'if list.next == "none" {']],
  },
  'a page begins with the last entity of the previous one': {
    'home/photo_queries.go': [['"photo"."id" > $2', '"photo"."id" >= $2']],
  },
  'a page may be of any size': {
    'internal/platform/lists.go': [['case limit > maxRows:', 'case limit > 5*maxRows:']],
  },
  'a list has all entities besides those with the ids that were asked for': {
    'internal/platform/lists.go': [['page.IDIn = idsOf(values)', '_ = idsOf(values)']],
  },
  'a list has entries with the ids that were asked for from all parents': {
    'home/photo_queries.go': [['any($1) and "photo"."_parent" = $2', 'any($1) and $2::uuid is not null']],
  },
  "a list has other users' entities with the ids that were asked for": {
    'internal/platform/search.go': [
      ['where.indexOrder = ""', 'where.indexOrder, where.access = "", condition{}'],
    ],
  },
  'a list takes any number of ids': {
    'internal/platform/lists.go': [['len(ids) > maxIDs', 'len(ids) > 10*maxIDs']],
  },
  'a list has the entries of all parents': {
    'home/photo_queries.go': [
      ['"photo"."_parent" = $1 and "photo"."id" >', '$1::uuid is not null and "photo"."id" >'],
    ],
  },
  'a filter is ignored': {
    'internal/platform/search.go': [[/return all\(append\(.*/, 'return s.where.access']],
  },
  "a filtered list shows other users' entities": {
    'internal/platform/search.go': [[/return all\(append\(.*/, 'return all(s.where.filters...)']],
  },
  'a descending order is ascending': {
    'internal/platform/search.go': [['desc nulls last', 'asc']],
  },
  "a total counts other users' entities": {
    'internal/platform/search.go': [['one.matches(), "")', 'all(one.where.filters...), "")']],
  },
  'a misspelled filter is ignored': {
    'internal/platform/query.go': [[/return BadRequest\("Unknown.*/, 'continue']],
  },

  'a duplicate value is an internal error': { 'home/env.go': [['"home__code__key":', '"other__key":']] },
  'updates change the time of creation': {
    'home/tag_queries.go': [
      [/("label" = coalesce\(\$\d+, "tag"\."label"\))/, '$1, "_created_at" = clock_timestamp()'],
    ],
  },
  'responses lack the time of creation': {
    'home/tag.go': [['`json:"createdAt"`', '`json:"-"`']],
  },
  'a duplicate combination is an internal error': {
    'memo/env.go': [['"memo__note__opens__key":', '"other__key":']],
  },

  'create does not check references': {
    'home/home_routes.go': [[/err := platform\.RequireReferences\(.*; err/, 'err := error(nil); err']],
  },
  'update does not check references': {
    'home/home_routes.go': [[/err = platform\.RequireReferences\([^]*?\n\t\)\n/, '_ = stored\n']],
  },
  'update checks unchanged references': {
    'internal/platform/references.go': [
      ['r.ID == nil || r.Stored != nil && *r.Stored == *r.ID', 'r.ID == nil'],
    ],
  },
  'the error names the last unknown reference': {
    'internal/platform/references.go': [
      [
        'for _, reference := range references {\n\t\tif',
        'slices.Reverse(references)\nfor _, reference := range references {\nif',
      ],
    ],
  },
  'references to unreadable entities are accepted': {
    'note/note_queries.go': [
      [/(any\(\$1::uuid\[\]\) and )"note"\."_owner" = coalesce.*\)\)`/, '$1$$2::uuid is not null)`'],
    ],
  },
  'references to missing entries are accepted': {
    'internal/platform/references.go': [
      ['err := read(ctx, id); err == nil', 'err := read(ctx, id); err == nil || errors.Is(err, ErrNotFound)'],
    ],
  },

  'a new entity has any value': {
    'note/note_routes.go': [['request.Status != NoteStatusDraft', 'request.Status == NoteStatusVoid']],
  },
  'a value changes in any way': {
    'note/note_queries.go': [['"note"."status") = "note"."status"', '"note"."status") is not null']],
  },
  'a declared change is refused': {
    'note/note_queries.go': [["('draft', 'sent'), ", '']],
  },
  'the error names the new value first': {
    'internal/platform/transitions.go': [
      ['string(from) + " to " + string(*to)', 'string(*to) + " to " + string(from)'],
    ],
  },
  'a change is checked before it is stored': {
    'note/note_queries.go': [['"note"."status") = "note"."status"', '"note"."status") is not null']],
    'internal/platform/transitions.go': [
      ['"slices"', '"slices"\n"time"'],
      [
        'if updated, err = update()',
        'if err := check(); err != nil {\nreturn updated, err\n}\ntime.Sleep(50 * time.Millisecond)\nif updated, err = update()',
      ],
    ],
  },
  'missing attributes are in another order': {
    'internal/platform/values.go': [['append(v.missing, name)', 'append([]string{name}, v.missing...)']],
  },
  'a @client attribute is not required': {
    'home/home.go': [
      [/body\.Text\("pin", 0, 8\)/g, 'platform.Default(body, "pin", "", (*platform.Values).String)'],
    ],
  },
  'null is a value': {
    'internal/platform/values.go': [['isGiven && string(raw) != "null"', 'isGiven && raw != nil']],
  },
  'an optional attribute is required': {
    'topic/topic.go': [
      ['platform.Optional(body, "slug", readTopicSlug)', 'new(readTopicSlug(body, "slug"))'],
    ],
  },
  'an update keeps an optional attribute that it leaves out': {
    'topic/topic_queries.go': [[/("topic"\."slug" ELSE )(\$\d+) END/, '$1coalesce($2, "topic"."slug") END']],
  },
  'another default is stored': { 'topic/topic.go': [['"rank", 3,', '"rank", 4,']] },
  'null stores the default of an optional attribute': {
    'topic/topic.go': [[/platform\.OptionalDefault(\(body, "weight".*\)),/, 'new(platform.Default$1),']],
  },
  'null is not a default': {
    'internal/platform/values.go': [
      [/(func Default\[.*\n\t)if !v\.Has\(name\)/, '$1if _, isGiven := v.given[name]; !isGiven'],
    ],
  },
  'the default is a time of the past': {
    'topic/topic.go': [['platform.Now()', 'time.Unix(0, 0)']],
  },
  'a value outside the bounds is accepted': { 'home/home.go': [['"beds", 1, 40', '"beds", 0, 40']] },
  'the bound is rejected': { 'home/home.go': [[/"beds", 1, 40/g, '"beds", 1, 39']] },
  'decimals lose their trailing zeros': {
    'internal/platform/decimal.go': [
      [
        'type Decimal string',
        'type Decimal string\n\nfunc (d Decimal) MarshalJSON() ([]byte, error) {\nreturn json.Marshal(strings.TrimRight(strings.TrimRight(string(d), "0"), "."))\n}',
      ],
    ],
  },
  'decimals are rounded': {
    'internal/platform/decimal.go': [
      [
        'text = exactDecimal(string(raw))',
        "number, _ := strconv.ParseFloat(string(raw), 64)\ntext = strconv.FormatFloat(number, 'f', scale, 64)",
      ],
    ],
  },
  'the upper bound of a decimal is missing': { 'home/home.go': [['"0.00", "99.99"', '"0.00", ""']] },
  'another word is accepted for an enum': {
    'internal/platform/values.go': [
      ['!slices.Contains(list, text)', '!slices.Contains(list, strings.ToLower(text))'],
    ],
  },
  'a value of an enum is missing': {
    'home/home.go': [['HomeStateOpen, HomeStateSoldOut,', 'HomeStateOpen,']],
  },
  'lengths count UTF-16 units': {
    'internal/platform/values.go': [
      ['utf8.RuneCountInString(text);', 'utf8.RuneCountInString(text) + strings.Count(text, "\\xf0");'],
    ],
  },
  'U+0000 reaches the database': {
    'internal/platform/values.go': [
      ['strings.Contains(text, "\\x00")', 'strings.Contains(text, "\\x00\\x00")'],
    ],
  },
  'fractions of integers are truncated': {
    'internal/platform/numbers.go': [['number == math.Trunc(number) && ', '']],
  },
  'offsets of datetimes have the wrong sign': {
    'internal/platform/dates.go': [
      ['at = at.UTC()', '_, offset := at.Zone()\nat = at.UTC().Add(2 * time.Duration(offset) * time.Second)'],
    ],
  },
  'non-canonical base64 is accepted': {
    'internal/platform/values.go': [['StdEncoding.Strict()', 'StdEncoding']],
  },
  'an invalid day is accepted': {
    'internal/platform/dates.go': [
      ['case err != nil:', 'case err != nil && len(text) != len(time.DateOnly):'],
    ],
  },
  'a body that is too large is 400': {
    'internal/platform/responses.go': [['http.StatusRequestEntityTooLarge', 'http.StatusBadRequest']],
  },
  'invalid UTF-8 is accepted': {
    'internal/platform/request.go': [['utf8.Valid(text)', 'utf8.Valid(nil)']],
  },

  'neither gateway nor service checks the expiry': {
    'internal/platform/tokens.go': [
      [
        'jwt.WithExpirationRequired()',
        'jwt.WithExpirationRequired(), jwt.WithTimeFunc(func() time.Time { return time.Unix(0, 0) })',
      ],
      [/known\.expires <= .* \{/, 'known.expires <= 0 {'],
    ],
  },
  'a token without a valid id is accepted': {
    'internal/platform/tokens.go': [
      ['id, isValid := ParseID(content.ID)', 'id, _ := ParseID(content.ID)'],
      ['!isValid || ', ''],
    ],
  },
  'tokens are never valid': {
    'auth/main.go': [
      ['tokens.Lifetime = config.TokenLifetime', 'tokens.Lifetime = 0 * config.TokenLifetime'],
    ],
  },
  'emails are case-sensitive': {
    'auth/queries.go': [[/WHERE lower\("email".*\)/, 'WHERE "email" = $$1`, email)']],
  },
  'login reveals that an email is unknown': {
    'auth/routes.go': [
      [
        'if !s.Passwords.matches(',
        'if errors.Is(err, platform.ErrNotFound) {\nreturn platform.HookError(401, "Unknown email")\n}\nif !s.Passwords.matches(',
      ],
    ],
  },
  'passwords of seven characters are accepted': {
    'auth/routes.go': [[/(minPasswordLength += )8/, '$17']],
  },
  'ids of users are of version 4': {
    'auth/queries.go': [['uuid.Must(uuid.NewUUID())', 'uuid.New()']],
  },

  'everybody has every role': {
    'internal/platform/tokens.go': [
      ['return slices.Contains(roles, role)', 'return len(roles) > 0'],
      ['slices.ContainsFunc(c.Roles,', 'slices.ContainsFunc([]string{""},'],
    ],
  },
  'nobody has a role': {
    'internal/platform/tokens.go': [['slices.Contains(roles, role)', 'slices.Contains(roles, role+" ")']],
  },
  'the creator can read without a role': {
    'internal/platform/tokens.go': [['&uuid.Max', 'new(uuid.UUID(c.ID))']],
  },
  'creating requires no role': {
    'audit/audit_routes.go': [['err := caller.RequireRole("admin")', 'err := error(nil)']],
  },
  'another role can create': {
    'article/article_routes.go': [['RequireRole("agent")', 'RequireRole("admin")']],
  },
  'everybody can update': {
    'ticket/ticket_routes.go': [
      ['err := env.RequireWritable(ctx, lookup.ID, caller)', 'err := error(nil)'],
      ['As(caller).UpdateTicket(', 'UpdateTicket('],
    ],
  },
  'another role can delete': {
    'ticket/env.go': [['caller.OwnerFilter("admin"), &caller.ID', 'caller.OwnerFilter("agent"), &caller.ID']],
  },
  'a list shows every entity to everybody': {
    'ticket/ticket_routes.go': [['As(caller).readTicketList(', 'readTicketList(']],
  },
  'a role that may not write adds entries': {
    'ticket/comment_routes.go': [['As(caller).CreateComment(', 'CreateComment(']],
  },
  'generated routes accept requests without a token': {
    'internal/platform/api.go': [['if unidentified != nil {', 'if unidentified == http.ErrServerClosed {']],
  },
  'the response of a create is not stored': {
    'internal/platform/idempotency.go': [
      ['if len(key.values) == 0 {\n\t\treturn create', 'if len(key.values) < 9 {\n\t\treturn create'],
    ],
  },
  'If-Match is ignored': {
    'home/tag_routes.go': [['versions := platform.IfMatch(r)', 'var versions []int64']],
  },
  'the statement does not compare the version': {
    'memo/memo_queries.go': [['any(coalesce(', 'any(array["memo"."_version"] || coalesce(']],
  },
  'a required version can be left out': {
    'memo/memo_routes.go': [['platform.RequireMatch(r)', 'platform.IfMatch(r), error(nil)']],
  },
  'If-None-Match is ignored': {
    'home/tag_routes.go': [
      ['if platform.NotModified(', 'if r.Header.Del("If-None-Match"); platform.NotModified('],
    ],
  },
  'an endpoint that changes an entity checks only whether it can be read': {
    'home/endpoints_routes.go': [['env.RequireWritable(', 'env.RequireReadable(']],
  },
  'an endpoint about an entity does not check access': {
    'note/endpoints_routes.go': [[/err := env\.RequireReadable\(.*; err/, 'err := error(nil); err']],
  },
  'an endpoint does not check references': {
    'note/endpoints_routes.go': [[/err := platform\.RequireReferences\(.*; err/, 'err := error(nil); err']],
  },
  'a name in the path of an endpoint can be too long': {
    'home/endpoints.go': [['"place", 2, 20', '"place", 2, 21']],
  },
  'an endpoint requires no role': {
    'ticket/endpoints_routes.go': [['err := caller.RequireRole("agent", "admin")', 'err := error(nil)']],
  },
  'an endpoint admits a role that may not write': {
    'ticket/endpoints_routes.go': [['env.RequireWritable(', 'env.RequireReadable(']],
  },
  'malformed roles count as none': {
    'internal/platform/tokens.go': [
      [
        /Roles +\[\]string `json:"roles,omitempty"`/,
        'Roles Roles `json:"roles,omitempty"`\n}\n\n// Roles are read from anything.\ntype Roles []string\n\n// UnmarshalJSON ignores what is no list.\nfunc (r *Roles) UnmarshalJSON(text []byte) error {\nvar list []string\nif json.Unmarshal(text, &list) == nil {\n*r = list\n}\nreturn nil',
      ],
    ],
  },
}

/** The faults that are planted in generated files, in Go. */
export function inGo(faults: readonly Fault[]): Fault[] {
  return faults.flatMap((fault) => {
    if (fault.files === undefined) return []
    const files = GO_FILES[fault.description]
    if (files === undefined) throw new Error(`Not planted in Go: ${fault.description}`)
    return { ...fault, files }
  })
}
