/*
 * offline.c: says what it is, and how to reach a model.
 */
#include "model/offline.h"

#include "base/base.h"

static const char answer[] =
    "This is the offline operator. It is part of sf and no language model.\n\n"
    "To talk to a model, do one of these and start sf again:\n"
    "- set the variable of a provider, such as ANTHROPIC_API_KEY or OPENAI_API_KEY\n"
    "- name a file or a command that holds the key: models.NAME.api_key_file or "
    "models.NAME.api_key_cmd in your config.toml\n"
    "- use a model on this machine: --provider ollama, llamacpp, lmstudio or vllm\n";

void sf_offline_answer(const struct sf_wire_request *request, sf_stream_fn *fn, void *ctx)
{
    struct sf_message message = SF_MESSAGE_INIT(SF_ROLE_ASSISTANT);
    struct sf_block *block = sf_message_add_text(&message, answer, sizeof(answer) - 1);

    (void)request;
    fn(ctx, &(struct sf_stream_event){ .kind = SF_STREAM_BEGIN, .text = "offline", .len = 7 });
    fn(ctx, &(struct sf_stream_event){
                .kind = SF_STREAM_TEXT, .text = answer, .len = sizeof(answer) - 1 });
    fn(ctx, &(struct sf_stream_event){ .kind = SF_STREAM_BLOCK, .text = "", .block = block });
    fn(ctx, &(struct sf_stream_event){ .kind = SF_STREAM_USAGE, .text = "" });
    fn(ctx, &(struct sf_stream_event){ .kind = SF_STREAM_END, .text = "", .stop = SF_STOP_END });
    sf_message_release(&message);
}
